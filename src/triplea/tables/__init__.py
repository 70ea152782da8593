"""The owner's rows: CSV, Parquet, data frames and SQL, behind a wall that only engines see through."""

from triplea.tables.deliver import deliver as deliver
from triplea.tables.deliver import write_table as write_table
from triplea.tables.deliver import write_tables as write_tables
from triplea.tables.opening import parse_source as parse_source
from triplea.tables.private_table import PrivateTable as PrivateTable
from triplea.tables.private_table import open_table as open_table
from triplea.tables.sql import SqlQuery as SqlQuery
