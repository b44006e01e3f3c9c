from tests.server.conftest import pytest_pyfunc_call, store

__all__ = ["pytest_pyfunc_call", "store"]
