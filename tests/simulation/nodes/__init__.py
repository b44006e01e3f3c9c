"""Several servers on one database, from one seed: leases, kills, pauses, cuts and clocks."""
