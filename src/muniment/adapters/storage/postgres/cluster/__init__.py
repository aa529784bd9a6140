"""PostgreSQL on many servers: PL/Proxy, Citus, moving a stream."""
