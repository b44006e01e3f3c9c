"""What is measured of games that were played, and how a report describes them."""
