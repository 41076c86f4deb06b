"""The models of the benchmarks once more, as pydantic-xml wants them written."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import BaseModel
from pydantic_xml import BaseXmlModel, element, wrapped

from benchmarks.models import (
    ChanceScale,
    CodeChange,
    Interview,
    Invoice,
    ServerReport,
    ServerStatus,
    Severity,
    Survey,
    WeatherPrognosis,
)


class RainTwin(BaseXmlModel):
    chance: ChanceScale = element()
    when: str = element()


class WeatherTwin(BaseXmlModel):
    __xml_tag__: ClassVar[str] = "weather_prognosis"

    location: str = element()
    current_temperature: float = element()
    overall_rain_prob: RainTwin = element()
    rain_probability_timebound: list[RainTwin] | None = wrapped("rain_probability_timebound", element(tag="li"))
    hourly_index: list[int] = wrapped("hourly_index", element(tag="li"))
    wind_speed: float = element()
    high: float = element(ge=-20, le=60)
    low: float = element()
    storm_tonight: bool = element()


class ServerTwin(BaseXmlModel):
    __xml_tag__: ClassVar[str] = "server_status"

    host: str = element()
    region: Literal["eu-west", "us-east", "ap-south"] = element()
    severity: Severity = element()
    healthy: bool = element()
    draining: bool = element()
    cores: int = element(ge=1, le=1024)
    threads: int = element(ge=0)
    load_1: float = element(ge=0)
    load_5: float = element(ge=0)
    load_15: float = element(ge=0)
    memory_total: int = element()
    memory_free: int = element()
    swap_used: int = element()
    disk_used: float = element(ge=0, le=100)
    temperature: float = element()
    fan_speed: int | None = element()
    packets_in: int = element()
    packets_out: int = element()
    errors: int = element(ge=0)
    dropped: int = element(ge=0)
    latency_p50: float = element()
    latency_p99: float = element()
    uptime: int = element()
    restarts: int = element(ge=0)
    connections: int = element(ge=0)
    clock_skew: float = element()
    read_only: bool = element()
    version: str = element(pattern=r"\d+\.\d+\.\d+")


class ReportTwin(BaseXmlModel):
    __xml_tag__: ClassVar[str] = "server_report"

    servers: list[ServerTwin] = wrapped("servers", element(tag="li"))


class LineTwin(BaseXmlModel):
    sku: str = element()
    title: str = element()
    quantity: int = element(ge=1)
    unit_price: float = element(ge=0)
    taxed: bool = element()


class InvoiceTwin(BaseXmlModel):
    __xml_tag__: ClassVar[str] = "invoice"

    number: str = element()
    customer: str = element()
    lines: list[LineTwin] = wrapped("lines", element(tag="li"))
    total: float = element()


class CodeTwin(BaseXmlModel):
    __xml_tag__: ClassVar[str] = "code_change"

    path: str = element()
    summary: str = element(max_length=200)
    code: str = element()
    explanation: str = element()


class InterviewTwin(BaseXmlModel):
    __xml_tag__: ClassVar[str] = "interview"

    title: str = element()
    question: str = element()
    answer: str = element()
    remarks: list[str] = wrapped("remarks", element(tag="li"))


class RoomTwin(BaseXmlModel):
    name: str = element()
    area: float = element(gt=0)


class FlatTwin(BaseXmlModel):
    name: str = element()
    room: RoomTwin = element()


class HouseTwin(BaseXmlModel):
    name: str = element()
    flat: FlatTwin = element()


class StreetTwin(BaseXmlModel):
    name: str = element()
    house: HouseTwin = element()


class TownTwin(BaseXmlModel):
    name: str = element()
    street: StreetTwin = element()


class RegionTwin(BaseXmlModel):
    name: str = element()
    town: TownTwin = element()


class CountryTwin(BaseXmlModel):
    name: str = element()
    region: RegionTwin = element()


class SurveyTwin(BaseXmlModel):
    __xml_tag__: ClassVar[str] = "survey"

    title: str = element()
    countries: list[CountryTwin] = wrapped("countries", element(tag="li"))


TWINS: dict[type[BaseModel], type[BaseXmlModel]] = {
    WeatherPrognosis: WeatherTwin,
    ServerStatus: ServerTwin,
    ServerReport: ReportTwin,
    Invoice: InvoiceTwin,
    CodeChange: CodeTwin,
    Interview: InterviewTwin,
    Survey: SurveyTwin,
}
