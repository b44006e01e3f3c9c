"""OpenTelemetry spans around requests, commits and bots' searches; off by default.

The standard variables (OTEL_EXPORTER_OTLP_ENDPOINT and others) configure the export. Spans describe the shape of a
request, never its contents: no names, codes, tokens or addresses.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from jamboree.core.extras import MissingExtra

Attribute = str | int | float | bool
_tracer: Any = None


class TraceSpan:
    def __init__(self, span: Any = None) -> None:
        self._span = span

    def note(self, name: str, value: Attribute) -> None:
        if self._span is not None:
            self._span.set_attribute(f"jamboree.{name}", value)

    def rename(self, name: str) -> None:
        if self._span is not None:
            self._span.update_name(name)


NOTHING = TraceSpan()


@contextmanager
def span(name: str, **attributes: Attribute) -> Iterator[TraceSpan]:
    """Record a span, if telemetry is enabled."""
    if _tracer is None:
        yield NOTHING
        return
    noted = {f"jamboree.{key}": value for key, value in attributes.items()}
    with _tracer.start_as_current_span(name, attributes=noted, record_exception=False) as running:
        yield TraceSpan(running)


def enable(provider: Any = None) -> None:
    """Export spans from now on, to a provider or as the environment configures."""
    global _tracer
    provider = provider or _provider()
    _tracer = provider.get_tracer("jamboree")


def disable() -> None:
    global _tracer
    _tracer = None


def _provider() -> Any:
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError:
        raise MissingExtra("Spans need OpenTelemetry", "telemetry") from None
    provider = TracerProvider(resource=Resource.create({"service.name": "jamboree"}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return provider
