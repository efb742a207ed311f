"""What the filings, the readings and the law require of a layout: each rule is a small function."""
