"""The table service: many live tables on one book, through any crash."""
