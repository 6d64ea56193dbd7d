import json
import re

import pytest

from ascertain.decide.seed import SeedPolicy
from ascertain.exam.report import report_page
from ascertain.exam.run import run_exam
from exam.folders import write

pytest.importorskip("plotly", reason="a report needs the extra `report`")

EVIL = "</script><img src=x onerror=alert(1)><!-- %%COUNTS%%"


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    store = [
        {"type": "concept", "id": EVIL, "title": f"Kiln {EVIL}"},
        {"type": "concept", "id": "b", "title": "Kiln b"},
    ]
    questions = [
        {"id": f"{EVIL}{at}", "question": f"kiln {EVIL}", "lang": EVIL, "gold": gold, "tags": {EVIL: f"{at}{EVIL}"}}
        for at, gold in enumerate(([EVIL], ["b"], []))
    ]
    folder = write(
        tmp_path_factory.mktemp("evil"), about={"name": EVIL, "author": EVIL}, questions=questions, store=store
    )
    return report_page(run_exam(folder, SeedPolicy()))


def test_nothing_from_an_exam_or_a_store_becomes_markup(page):
    own = re.sub(r"<script>/\*\*.*?</script>", "", page, flags=re.S)
    assert "<img src=x" not in own
    assert page.count("</script>") == page.count("<script")


def test_a_mark_of_the_template_inside_data_stays_data(page):
    data = re.search(r'<script type="application/json" id="questions">(.*?)</script>', page, re.S)
    assert data is not None
    told = json.loads(data[1])
    assert any("%%COUNTS%%" in one["question"] for one in told)


def test_the_page_loads_nothing_from_anywhere(page):
    assert not re.search(r"<(script|link|img|iframe)[^>]+(src|href)=[\"']?https?:", page)
    assert "default-src 'none'" in page


def test_the_same_run_gives_the_same_page(tmp_path):
    folder = write(tmp_path)
    assert report_page(run_exam(folder, SeedPolicy())) == report_page(run_exam(folder, SeedPolicy()))
