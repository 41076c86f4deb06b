"""A growing answer in the terminal: a reply is shown while it is written, with its mistakes mended on the way.

    python examples/streaming_terminal.py
    OPENAI_API_KEY=... python examples/streaming_terminal.py --model gpt-5

It needs rich, which the extra `cli` brings.
"""

from argparse import ArgumentParser
from collections.abc import Iterator
from time import sleep

from pydantic import BaseModel, Field
from rich.console import Group
from rich.live import Live
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from structured_response import Part, StructuredResponse


class Ingredient(BaseModel):
    name: str
    grams: int


class Recipe(BaseModel):
    title: str = Field(description="The name of the dish")
    servings: int
    ingredients: list[Ingredient]
    steps: list[str] = Field(description="What to do, in order")


REPLY = """\
Gladly! Here is my favourite:

```xml
<recipe>
    <title>Mac & cheese, with a crust</title>
    <servings>4 people</servings>
    <ingredients>
        <li><name>macaroni</name><grams>400</grams></li>
        <li><name>cheddar</name><grams>300 g</grams></li>
        <li><name>milk</name><grams>1,000</grams></li>
        <li><name>breadcrumbs</name><grams>80</grams></li>
    </ingredients>
    <steps>
        <li>Boil the macaroni in salted water until they are just done.
        <li>Heat the milk & stir in the cheddar, off the flame, until it is smooth.</li>
        <li>Mix, cover with the breadcrumbs and bake at 200 degrees for 20 minutes.</li>
    </steps>
</recipe>
```
"""


def recorded(delay: float) -> Iterator[str]:
    """The reply in small pieces."""
    for start in range(0, len(REPLY), 4):
        yield REPLY[start : start + 4]
        sleep(delay)


def asked(model: str, prompt: str) -> Iterator[str]:
    """The reply of a real model. The key, and the address of another server, come from the environment."""
    from openai import OpenAI

    from structured_response.clients import openai_chat

    return openai_chat(OpenAI(), model=model).stream([{"role": "user", "content": prompt}])


def shown(part: Part[Recipe]) -> Panel:
    """What is known of the recipe. The value that is being written has a cursor."""
    recipe = part.instance

    def text(value: object, path: str) -> Text:
        return Text("" if value is None else str(value)).append("▌" if part.path == path else "", "blink")

    table = Table("ingredient", "grams", expand=True)
    for index, each in enumerate(recipe.ingredients or ()):
        place = f"$.ingredients[{index}]"
        table.add_row(text(each.name, f"{place}.name"), text(each.grams, f"{place}.grams"))
    steps = [Text(f"{index + 1}. ") + text(step, f"$.steps[{index}]") for index, step in enumerate(recipe.steps or ())]
    return Panel(
        Group(Text("serves ") + text(recipe.servings, "$.servings"), table, *steps),
        title=text(recipe.title, "$.title"),
        subtitle=f"{len(part.repairs)} repairs",
        width=80,
    )


def main() -> None:
    options = ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--model", help="ask this model of OpenAI's protocol, in place of the recorded reply")
    options.add_argument("--delay", type=float, default=0.04, help="seconds between the pieces of the recorded reply")
    given = options.parse_args()

    response = StructuredResponse.from_basemodel(Recipe)
    prompt = f"How do I make macaroni and cheese? Respond as instructed {response.to_prompt()}"
    chunks = asked(given.model, prompt) if given.model else recorded(given.delay)
    with Live(auto_refresh=False) as live:
        for part in response.stream(chunks):
            live.update(shown(part), refresh=True)
    if part.response is not None:  # of the last part
        print(f"\n{part.response.to_basemodel()}")  # your own class, validated


if __name__ == "__main__":
    main()
