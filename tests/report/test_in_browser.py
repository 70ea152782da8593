"""The pages in a real browser: no complaint, no request, text visible, wide and narrow, light and dark."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from tests.report.browser import Browser, find_browser
from tests.report.records import evaluation, facts, fidelity, number_column
from triplea.report.datasheet import datasheet_html
from triplea.report.owner import write_owner_report

PROGRAM = find_browser()
pytestmark = pytest.mark.skipif(
    PROGRAM is None, reason="no Chromium here: install chromium, or name one in TRIPLEA_CHROMIUM"
)
VIEWS = {"desk": (1280, False), "desk, dark": (1280, True), "phone": (390, False), "phone, dark": (390, True)}

# Contrast of every visible text against the nearest background, by the formula of WCAG 2.
FAINT_TEXTS = """(() => {
  const rgb = (c) => (c.match(/[\\d.]+/g) || [0, 0, 0, 0]).map(Number);
  const light = (c) => rgb(c).slice(0, 3).map((v) => v / 255)
    .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const paper = (node) => {
    for (let n = node; n; n = n.parentElement) {
      const c = getComputedStyle(n).backgroundColor;
      if (rgb(c)[3] !== 0 && c !== "transparent") return c;
    }
    return "rgb(255,255,255)";
  };
  const faint = [];
  const wanted = "p, h1, h2, h3, th, td, li, a, span, summary, figcaption, svg text";
  for (const node of document.querySelectorAll(wanted)) {
    if (!node.textContent.trim() || !node.checkVisibility()) continue;
    const style = getComputedStyle(node);
    const ink = node.closest("svg") ? style.fill : style.color;
    const [a, b] = [light(ink), light(paper(node))].sort((x, y) => y - x);
    if ((a + 0.05) / (b + 0.05) < 4.5) faint.push(node.textContent.trim().slice(0, 40) + " " + ink);
  }
  return faint;
})()"""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory):
    assert PROGRAM is not None
    made = Browser(PROGRAM, tmp_path_factory.mktemp("profile"))
    yield made
    made.close()


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    many = tuple(number_column(f"column {i}", total_variation=i / 100) for i in range(80))
    found = evaluation(fidelity=fidelity(columns=(*fidelity().columns, *many)))
    sheet = folder / "datasheet.html"
    sheet.write_text(datasheet_html(facts()), encoding="utf-8")
    return {"report": write_owner_report(found, folder / "report.html"), "datasheet": sheet}


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("name", ["report", "datasheet"])
def test_a_page_is_quiet_complete_and_readable(browser, pages, name, view):
    width, dark = VIEWS[view]
    browser.open(pages[name], width=width, dark=dark)
    assert browser.complaints() == []
    assert browser.requests() == [pages[name].as_uri()]
    assert browser.run("document.documentElement.scrollWidth") <= width, "the page scrolls sideways"
    assert browser.run(FAINT_TEXTS) == []


def test_the_test_for_faint_text_finds_some(browser, tmp_path):
    page = tmp_path / "faint.html"
    page.write_text("<p style='color:#999'>too faint</p><p>black on white</p>", encoding="utf-8")
    browser.open(page)
    assert browser.run(FAINT_TEXTS) == ["too faint rgb(153, 153, 153)"]


def test_every_picture_has_a_size_a_name_and_marks(browser, pages):
    browser.open(pages["report"])
    browser.run("document.querySelectorAll('details').forEach((fold) => { fold.open = true; })")
    drawn = browser.run("""Array.from(document.querySelectorAll("svg")).map((svg) => {
      const box = svg.getBoundingClientRect();
      const parts = svg.querySelectorAll("path, rect, line, circle, polyline").length;
      return [svg.querySelector("title").textContent, box.width > 5 && box.height > 5, parts];
    })""")
    assert len(drawn) > 100
    assert [title for title, sized, parts in drawn if not sized or not parts or not title] == []
    for wanted in ("ROC curve, LightGBM", "Principal components: Both", "Dimension-wise probability", "Real"):
        assert wanted in [title for title, _, _ in drawn]


def test_the_real_image_samples_are_decoded(browser, pages):
    browser.open(pages["report"])
    widths = browser.run("Array.from(document.images).map((image) => image.naturalWidth)")
    assert widths == [9, 9, 4]


def test_the_search_finds_columns_in_folded_parts(browser, pages):
    browser.open(pages["report"])
    browser.run("""(() => {
      const box = document.getElementById("find-column");
      box.value = "COLUMN 7";
      box.dispatchEvent(new Event("input"));
    })()""")
    visible = browser.run("""Array.from(document.querySelectorAll("[data-column]"))
      .filter((card) => card.checkVisibility()).map((card) => card.dataset.column)""")
    assert sorted(visible) == sorted(["column 7", *(f"column {i}" for i in range(70, 80))])
    assert browser.run("document.getElementById('find-status').textContent") == "11 of 83 columns"


def test_hostile_names_run_nothing_and_are_seen_as_text(browser, pages):
    browser.open(pages["report"])
    assert browser.run("document.scripts.length") == 1
    assert "<script>alert('x')</script>" in browser.run("document.body.innerText")
    assert not any(event.get("method") == "Page.javascriptDialogOpening" for event in browser.events)


def test_headings_go_down_one_step_at_a_time(browser, pages):
    browser.open(pages["report"])
    levels = browser.run("Array.from(document.querySelectorAll('h1,h2,h3,h4')).map((h) => +h.tagName[1])")
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
