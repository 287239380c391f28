"""What the commands do that look after a library."""

import sys
from argparse import Namespace
from contextlib import closing

from rag.index.store import Store
from rag.settings import Settings
from rag.words import count


def check(settings: Settings, args: Namespace) -> int:
    from rag.check import check
    from rag.repair import repair

    with closing(Store.existing(settings.data)) as store:
        faults = check(store)
        for fault in faults:
            print(fault.text)
        if args.repair and faults:
            left = repair(store)
            print(f"repaired {count(len(faults) - len(left), 'fault')}", file=sys.stderr)
            for fault in left:
                print(f"left: {fault.text}")
            return 1 if left else 0
        documents = len(store.documents())
    if not faults:
        print(f"{count(documents, 'document')}: nothing is wrong.")
    elif any(fault.repairable for fault in faults):
        print("check --repair makes anew what can be derived.", file=sys.stderr)
    return 1 if faults else 0


def backup(settings: Settings, args: Namespace) -> int:
    from rag.backup import backup

    with closing(Store.existing(settings.data)) as store:
        print(f"{count(backup(store, args.file), 'document')} in {args.file}")
    return 0


def restore(settings: Settings, args: Namespace) -> int:
    from rag.restore import restore

    print(f"{count(restore(args.file, settings.data, replace=args.replace), 'document')} in {settings.data}")
    return 0
