from triplea.anonymize.neighbours import Neighbours


def test_the_two_relations_have_names_that_a_file_can_hold() -> None:
    assert [relation.value for relation in Neighbours] == ["add-or-remove-one", "replace-one"]


def test_each_relation_says_in_words_what_it_protects() -> None:
    assert Neighbours.ADD_OR_REMOVE_ONE.in_words == "adding or removing one row"
    assert Neighbours.REPLACE_ONE.in_words == "replacing one row by another"
