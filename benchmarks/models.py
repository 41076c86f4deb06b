"""The models that the benchmarks fill, six shapes of answer, each with data of any size."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Literal

from pydantic import BaseModel, Field


class ChanceScale(Enum):
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class RainProbability(BaseModel):
    chance: ChanceScale = Field(description="The chance of rain, where low is less than 25% and high is more than 75%")
    when: str = Field(description="The time of day when the rain is or is not expected")


class WeatherPrognosis(BaseModel):
    location: str = Field(description="The location of the weather forecast")
    current_temperature: float = Field(description="The current temperature in degrees Celsius")
    overall_rain_prob: RainProbability = Field(description="The day's rain chance")
    rain_probability_timebound: list[RainProbability] | None = Field(
        description="List of chances of rain, where low is less than 25% and high is more than 75%"
    )
    hourly_index: list[int] = Field(description="List of hourly UV index in the range of 1-10")
    wind_speed: float = Field(description="The wind speed in km/h")
    high: float = Field(ge=-20, le=60, description="The high temperature in degrees Celsius")
    low: float = Field(description="The low temperature in degrees Celsius")
    storm_tonight: bool = Field(description="Whether there will be a storm tonight")


class Severity(Enum):
    OK = "ok"
    WARNING = "warning"
    CRITICAL = "critical"


class ServerStatus(BaseModel):
    host: str = Field(description="The name of the host")
    region: Literal["eu-west", "us-east", "ap-south"]
    severity: Severity = Field(description="How bad it is")
    healthy: bool
    draining: bool
    cores: int = Field(ge=1, le=1024)
    threads: int = Field(ge=0)
    load_1: float = Field(ge=0, description="Load average over one minute")
    load_5: float = Field(ge=0, description="Load average over five minutes")
    load_15: float = Field(ge=0, description="Load average over fifteen minutes")
    memory_total: int = Field(description="Memory in bytes")
    memory_free: int
    swap_used: int
    disk_used: float = Field(ge=0, le=100, description="In percent")
    temperature: float
    fan_speed: int | None = Field(description="Revolutions per minute")
    packets_in: int
    packets_out: int
    errors: int = Field(ge=0)
    dropped: int = Field(ge=0)
    latency_p50: float
    latency_p99: float
    uptime: int = Field(description="In seconds")
    restarts: int = Field(ge=0)
    connections: int = Field(ge=0)
    clock_skew: float = Field(description="In milliseconds")
    read_only: bool
    version: str = Field(pattern=r"\d+\.\d+\.\d+")


class ServerReport(BaseModel):
    servers: list[ServerStatus] = Field(description="One entry a server")


class InvoiceLine(BaseModel):
    sku: str = Field(description="The article's number")
    title: str
    quantity: int = Field(ge=1, description="How many were ordered")
    unit_price: float = Field(ge=0)
    taxed: bool


class Invoice(BaseModel):
    number: str = Field(description="The invoice's number")
    customer: str
    lines: list[InvoiceLine] = Field(description="The lines of the invoice, in order")
    total: float


class CodeChange(BaseModel):
    path: str = Field(description="The file to change")
    summary: str = Field(max_length=200)
    code: str = Field(description="The whole new text of the file")
    explanation: str = Field(description="Why the change is right, in Markdown")


class Interview(BaseModel):
    title: str = Field(description="The title, as printed")
    question: str
    answer: str = Field(description="The answer, word for word")
    remarks: list[str] = Field(description="Remarks of the audience")


class Room(BaseModel):
    name: str
    area: float = Field(gt=0, description="In square metres")


class Flat(BaseModel):
    name: str
    room: Room


class House(BaseModel):
    name: str
    flat: Flat


class Street(BaseModel):
    name: str
    house: House


class Town(BaseModel):
    name: str
    street: Street


class Region(BaseModel):
    name: str
    town: Town


class Country(BaseModel):
    name: str
    region: Region


class Survey(BaseModel):
    title: str = Field(description="The title of the survey")
    countries: list[Country] = Field(description="One chain of places a country")


def weather(units: int) -> WeatherPrognosis:
    """One unit is the forecast of one day, three chances of rain and eight hours."""
    day = [("low", "morning"), ("medium", "afternoon"), ("high", "evening")]
    chances = [RainProbability(chance=ChanceScale(chance), when=when) for chance, when in day]
    return WeatherPrognosis(
        location="Annecy, FR",
        current_temperature=18.7,
        overall_rain_prob=RainProbability(chance=ChanceScale.MEDIUM, when="today"),
        rain_probability_timebound=chances * units,
        hourly_index=[3, 4, 5, 6, 5, 4, 3, 2] * units,
        wind_speed=12.5,
        high=24.0,
        low=12.0,
        storm_tonight=False,
    )


def server(index: int) -> ServerStatus:
    """The status of one server; its numbers follow from its index."""
    return ServerStatus(
        host=f"node-{index:04d}",
        region="eu-west",
        severity=Severity.WARNING if index % 3 else Severity.OK,
        healthy=index % 2 == 0,
        draining=False,
        cores=16,
        threads=412 + index % 50,
        load_1=3.25 + index % 7,
        load_5=2.5,
        load_15=1.75,
        memory_total=68719476736,
        memory_free=12884901888 - index,
        swap_used=index * 4096,
        disk_used=71.5,
        temperature=54.25,
        fan_speed=2400,
        packets_in=918273645 + index,
        packets_out=81927364,
        errors=index % 11,
        dropped=0,
        latency_p50=0.0125,
        latency_p99=0.245,
        uptime=1209600 + index,
        restarts=3,
        connections=18204 - index,
        clock_skew=-0.75,
        read_only=False,
        version="4.18.2",
    )


def servers(units: int) -> ServerStatus | ServerReport:
    """One unit is one server, which stands alone when there is only one."""
    if units == 1:
        return server(0)
    return ServerReport(servers=[server(index) for index in range(units)])


def invoice(units: int) -> Invoice:
    """One unit is one line."""
    titles = ["Desk lamp", "Garden hose, 20 m", "Paper A4", "Kettle", "Cable drum"]
    lines = [
        InvoiceLine(
            sku=f"A-{10000 + index}",
            title=titles[index % len(titles)],
            quantity=1 + index % 9,
            unit_price=4.95 + index % 40,
            taxed=index % 4 != 0,
        )
        for index in range(units)
    ]
    return Invoice(number="2024-00871", customer="Maison Verte SARL", lines=lines, total=1284.35)


FUNCTION = """def merge_{index}(left: list[int], right: list[int]) -> list[int]:
    out: list[int] = []
    while left and right:
        if left[0] < right[0] and len(out) << 1 > {index}:
            out.append(left.pop(0) & 0xFF)
        else:
            out.append(right.pop(0) & 0xFF)
    return out + left + right
"""


def code_change(units: int) -> CodeChange:
    """One unit is one function of eight lines in one long string."""
    code = "\n\n".join(FUNCTION.format(index=index) for index in range(units))
    return CodeChange(
        path="src/sorting/merge.py",
        summary="Merge without copying, and mask to a byte",
        code=code.rstrip("\n"),
        explanation=(
            "The old loop copied both lists.\n\n"
            "* `left[0] < right[0]` decides, so equal items keep their order\n"
            "* `<<` binds tighter than `>`, no brackets are needed"
        ),
    )


def interview(units: int) -> Interview:
    """One unit is two sentences and a remark; one character in seven is an entity in XML."""
    sentences = [
        f'Q&A no. {index}: "x < y && y > z" holds & <b>that</b> is all R&D said. '
        f"AT&T <sales-{index}@att.example> wrote back & agreed: a <= b."
        for index in range(units)
    ]
    remarks = [f"Smith & Sons <{index}>: 5 < 6 & 7 > 6" for index in range(units)]
    return Interview(
        title="Fish & chips > salad?",
        question="Is it true that A < B && B < C, as R&D says?",
        answer=" ".join(sentences),
        remarks=remarks,
    )


def country(index: int) -> Country:
    """A chain of places seven levels deep."""
    room = Room(name="Kitchen", area=12.5)
    house = House(name=f"No. {index}", flat=Flat(name="Third floor", room=room))
    town = Town(name="Annecy", street=Street(name="Rue Sainte-Claire", house=house))
    return Country(name=f"France {index}", region=Region(name="Haute-Savoie", town=town))


def survey(units: int) -> Survey:
    """One unit is one chain of places."""
    return Survey(title="Places", countries=[country(index) for index in range(units)])


class Comment(BaseModel):
    author: str
    text: str
    votes: int
    answers: "list[Comment] | None" = None


class Thread(BaseModel):
    title: str = Field(description="The title of the thread")
    comments: list[Comment]


def thread(units: int) -> Thread:
    """One unit is a comment, its answer, and the answer to that."""
    text = "I think that the argument holds, but only for small trees."
    comments = []
    for index in range(units):
        last = Comment(author=f"reader {index}", text=text, votes=index)
        first = Comment(author="Maud", text="It does not: see the table.", votes=-index, answers=[last])
        comments.append(Comment(author="Émile", text=text, votes=3 * index, answers=[first]))
    return Thread(title="On trees", comments=comments)


class Note(BaseModel):
    heading: str
    body: str


class Quote(BaseModel):
    source: str
    words: str
    year: int | str


class Picture(BaseModel):
    url: str
    width: int
    height: int


class Page(BaseModel):
    title: str = Field(description="The title of the page")
    blocks: list[Note | Quote | Picture]


def page(units: int) -> Page:
    """One unit is a note, a quote and a picture."""
    blocks: list[Note | Quote | Picture] = []
    for index in range(units):
        blocks.append(Note(heading=f"Part {index}", body="They grow, and in the end they fall."))
        blocks.append(Quote(source="A. Gardener", words="Prune late, prune little.", year=1912 + index))
        blocks.append(Picture(url=f"https://trees.example/{index}.png", width=640, height=480))
    return Page(title="Trees", blocks=blocks)


@dataclass(frozen=True)
class Shape:
    """A shape of answer: `make(units)` gives data whose length grows evenly with `units` (from 1). `turned` answers
    hold their fields in the reverse of the definition's order.
    """

    name: str
    about: str
    make: Callable[[int], BaseModel]
    turned: bool = False


SHAPES = (
    Shape("weather", "the worked example of the README: scalars, an object, two lists", weather),
    Shape("scalars", "28 small fields: numbers, booleans, an enum, a literal, a pattern", servers),
    Shape("list", "a list of objects of five fields", invoice),
    Shape("code", "long strings of many lines, escaped", code_change),
    Shape("entities", "strings in which one character in seven is an entity", interview),
    Shape("deep", "eight objects inside each other, a list between the first and the second", survey),
)

UNLIKE = (
    Shape("turned", "the list of objects, with the outer fields in reverse", invoice, turned=True),
    Shape("recursive", "a model that holds itself, three levels deep", thread),
    Shape("unions", "a list of three kinds of objects, one with a union of an int and a string", page),
)
"""Shapes for which the shortcut has no pattern, or none that matches."""
