"""Pages drawn from result records: the owner's report and the receiver's datasheet. They never see rows."""
