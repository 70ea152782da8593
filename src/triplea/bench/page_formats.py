"""A results page as Markdown for the site, or as one HTML file."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence

from triplea.bench.pages import Page, Section


def as_markdown(page: Page) -> str:
    """Write a page for the site."""
    parts = [f"# {page.title}", page.text, f"```console\n{page.command}\n```", page.legend]
    parts += [f"![{text}]({name})" for name, text in page.pictures]
    for section in page.sections:
        parts += [f"## {section.title}", section.text, _markdown_table(section)]
    if page.sources:
        parts.append("Papers:\n\n" + "\n".join(f"- {source}" for source in page.sources))
    parts.append(f"Made with {page.made_with}." if page.made_with else "")
    return "\n\n".join(part for part in parts if part) + "\n"


def _markdown_table(section: Section) -> str:
    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"

    rule = "|" + "|".join("---:" if name in _NUMBERS else "---" for name in section.headers) + "|"
    return "\n".join([line(section.headers), rule, *(line(row) for row in section.rows)])


_NUMBERS = {"epsilon", "seeds", "ours", "spread", "difference", "s", "MiB"}


def as_html(page: Page) -> str:
    """Write one page without anything from elsewhere; pictures are given inline as SVG text."""
    body = [f"<h1>{html.escape(page.title)}</h1>"]
    body += [f"<p>{_prose(text)}</p>" for text in (page.text, page.legend) if text]
    body.append(f"<pre>{html.escape(page.command)}</pre>")
    body += [
        f"<figure>{svg}<figcaption>{html.escape(text)}</figcaption></figure>" for svg, text in page.pictures
    ]
    for section in page.sections:
        body += [
            f"<h2>{html.escape(section.title)}</h2>",
            f"<p>{_prose(section.text)}</p>",
            _html_table(section),
        ]
    body += [f"<p>{html.escape(source)}</p>" for source in page.sources]
    body.append(f"<p>{html.escape(page.made_with)}</p>")
    title = f"<title>{html.escape(page.title)}</title>"
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width">{title}{_STYLE}'
    return (
        f'<!doctype html>\n<html lang="en"><head>{head}</head>\n<body>\n'
        + "\n".join(body)
        + "\n</body></html>\n"
    )


def _prose(text: str) -> str:
    """Text that is written for Markdown: names in backticks are code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text))


def _html_table(section: Section) -> str:
    def row(cells: Sequence[str], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"

    rows = "\n".join(row(cells, "td") for cells in section.rows)
    head = row(section.headers, "th")
    return f'<div class="wide"><table><thead>{head}</thead><tbody>\n{rows}\n</tbody></table></div>'


_STYLE = """<style>
:root { color-scheme: light dark; }
:root { --paper: #fbfbf9; --ink: #1c2024; --soft: #565d66; --line: #dfe2e6; --faint: #eef0f2; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #14171a; --ink: #e8e9eb; --soft: #a7acb4; --line: #33383e; --faint: #22262b; }
}
body { font: 1rem/1.6 Inter, system-ui, sans-serif; max-width: 64rem; margin: 2rem auto; padding: 0 1rem;
  background: var(--paper); color: var(--ink); }
p { max-width: 46rem; } h1, h2 { line-height: 1.2; letter-spacing: -.01em; }
h2 { margin-top: 2.5rem; border-top: 1px solid var(--line); padding-top: 1.5rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .9rem; }
th, td { padding: .38rem .9rem .38rem 0; text-align: left; white-space: nowrap; }
th, td { border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-size: .84rem; border-bottom-width: 2px; }
pre { padding: .7rem 1rem; overflow-x: auto; background: var(--faint); border-radius: 6px; }
figure { margin: 1.5rem 0; overflow-x: auto; background: white; border-radius: 8px; padding: .5rem; }
figcaption { color: #565b64; font-size: .88rem; }
svg { width: 100%; min-width: 40rem; height: auto; }
</style>"""
