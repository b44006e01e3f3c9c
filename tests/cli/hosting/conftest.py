from tests.server.conftest import postgres, pytest_pyfunc_call, store

__all__ = ["postgres", "pytest_pyfunc_call", "store"]
