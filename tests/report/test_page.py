import re
from base64 import b64encode
from hashlib import sha256

from triplea.report.html import tag
from triplea.report.page import Section, asset, page

PAGE = page(
    title="<t>",
    header=tag("h1", "T"),
    sections=[Section(anchor="a", title="A & B", body=tag("p", "x"))],
    footer="f",
)


def test_the_policy_allows_this_style_and_this_script_only():
    script = re.search(r"<script>(.*?)</script>", PAGE, flags=re.DOTALL).group(1)
    digest = b64encode(sha256(script.encode()).digest()).decode()
    assert "default-src &#x27;none&#x27;" in PAGE
    assert f"script-src &#x27;sha256-{digest}&#x27;" in PAGE
    assert "unsafe" not in PAGE


def test_sections_are_in_the_navigation_and_named_by_their_heading():
    assert '<a href="#a">A &amp; B</a>' in PAGE
    assert '<section id="a" aria-labelledby="a-title"><h2 id="a-title">A &amp; B</h2>' in PAGE
    assert 'class="skip"' in PAGE
    assert '<html lang="en">' in PAGE


def test_style_and_script_close_no_tag_and_load_nothing():
    for name in ("style.css", "script.js"):
        assert "</" not in asset(name)
        assert "http" not in asset(name)
        assert "url(" not in asset(name)


def test_the_style_speaks_for_dark_phone_print_and_keyboard():
    for rule in ("prefers-color-scheme: dark", "max-width: 60rem", "@media print", ":focus-visible"):
        assert rule in asset("style.css")
