"""How columns hang together: associations, principal components, dimension-wise plots."""

from __future__ import annotations

from triplea.report.heatmap import heat_maps, largest_differences
from triplea.report.html import Html, join, tag
from triplea.report.numbers import count, fixed, share
from triplea.report.scatter import dimension_picture, farthest_points, projection_panels
from triplea.results import Association, Fidelity, Projection


def association_section(association: Association) -> Html:
    """Return the heat maps, and the pairs that changed most."""
    words = (
        "Strength from 0 to 1: Cramér's V for two categories, correlation ratio for a category and a number, "
        "Pearson's correlation for two numbers (negative ones carry a bar). Darker is stronger. On average a "
        f"pair differs by {fixed(association.mean_difference)}, at most by "
        f"{fixed(association.maximum_difference)}."
    )
    return join(tag("p", words), heat_maps(association), largest_differences(association))


def projection_section(projection: Projection) -> Html:
    """Return the clouds on the real rows' first two axes."""
    explained = share(sum(projection.explained[:2]))
    words = (
        f"The two directions in which the real rows vary most ({explained} of the variance), with synthetic "
        f"rows on the same axes. {count(len(projection.real))} real and "
        f"{count(len(projection.synthetic))} synthetic rows are shown. The clouds should have the same shape."
    )
    return join(tag("p", words), projection_panels(projection))


def dimensions_section(fidelity: Fidelity) -> Html | None:
    """Return the dimension-wise plots: shares of categories, and how well columns can be predicted."""
    parts = []
    if fidelity.probability:
        picture = dimension_picture(
            fidelity.probability, title="Dimension-wise probability", what="share of rows", root=True
        )
        caption = "Probability: one dot per category. Square-root scale, so that rare ones can be seen."
        rare = farthest_points(fidelity.probability, caption="Farthest from the diagonal", shares=True)
        parts.append(_beside(picture, caption, rare))
    if fidelity.prediction:
        picture = dimension_picture(fidelity.prediction, title="Dimension-wise prediction", what="score")
        caption = (
            "Prediction: every column predicted from the others, tested on real rows. Dots: F1 or AUROC; "
            "boxes: R². Below the diagonal, the synthetic rows teach less."
        )
        lost = farthest_points(fidelity.prediction, caption="Farthest from the diagonal", shares=False)
        parts.append(_beside(picture, caption, lost))
    return join(parts) if parts else None


def _beside(picture: Html, caption: str, listed: Html) -> Html:
    return tag("div", tag("figure", picture, tag("figcaption", caption)), listed, class_="panels pair")
