from triplea.schema.kinds import BOUNDED, DISCRETE, Kind


def test_every_kind_is_listed_or_bounded_or_an_identifier() -> None:
    assert {*DISCRETE, *BOUNDED, Kind.IDENTIFIER} == set(Kind)
    assert not set(DISCRETE) & set(BOUNDED)
