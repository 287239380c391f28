"""The HTTP API: routes over one workspace, for other programs. `app.make_api` gives them as one ASGI application."""
