"""Names that are imported when they are first read, and what to write in place of those of other libraries."""
