-- The migrations that were applied to this database. A library that is older than the highest
-- lowest_library refuses to use it.
create table if not exists yieldstar_schema_version (
  version integer primary key,
  name text not null,
  checksum text not null,
  lowest_library text not null,
  applied_at integer not null
) strict;
