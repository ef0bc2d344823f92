-- Lowest library version: 0.1.0

-- What an execution was admitted with, and how it ended. Written at its admission, when it continues
-- as new, and at its end; never while it runs. Small columns first, so that reading them follows no
-- overflow pages.
create table yieldstar_execution (
  execution integer primary key,
  id text not null,
  workflow text not null,
  version text,
  fingerprint text not null,
  attributes text,
  parent_id text,
  parent_step text,
  forked_from text,
  admitted_at integer not null,
  incarnation integer not null,
  outcome integer,
  finished_at integer,
  end_token integer,
  end_lease integer,
  reason text,
  result blob,
  current_params blob,
  params blob,
  context blob
) strict;

create unique index yieldstar_execution_id on yieldstar_execution (id);

-- The live executions only: the one table that churns, so it is narrow, and a row goes when its
-- execution ends.
create table yieldstar_run (
  execution integer primary key,
  workflow text not null,
  at integer,
  token integer not null,
  lease_id integer not null,
  acknowledged_token integer not null,
  acknowledged_lease integer not null,
  incarnation integer not null,
  wakes integer not null,
  paused integer not null,
  cancel_reason text,
  revision integer not null,
  compensations integer not null,
  unacknowledged integer not null,
  passed integer not null,
  last_delivery integer not null,
  attention_code text,
  attention_message text,
  attention_version text,
  waiting_for text,
  waits integer not null
) strict;

-- What claims look at: idle executions that have a time, and leased ones at the time when their
-- lease and the redelivery delay will have passed. The rows in it are ordered by (at, execution).
create index yieldstar_run_due on yieldstar_run (workflow, at) where at is not null and paused = 0;

create index yieldstar_run_blocked on yieldstar_run (workflow) where attention_version is not null;

-- The recorded steps: rows are appended, never changed. Not `without rowid`: appending rows to full
-- pages writes far fewer of them than keeping each execution's rows together.
create table yieldstar_step (
  n integer primary key,
  execution integer not null,
  incarnation integer not null,
  key text not null,
  attempt integer not null,
  position integer not null,
  kind integer not null,
  type text not null,
  result integer not null,
  until integer,
  subject text,
  detail text,
  started_at integer not null,
  recorded_at integer not null,
  value blob
) strict;

create unique index yieldstar_step_key on yieldstar_step (execution, incarnation, key, attempt);

-- Who waits for the end of which execution.
create table yieldstar_waiter (
  execution integer not null,
  waiter integer not null,
  primary key (execution, waiter)
) strict, without rowid;

create index yieldstar_waiter_waiter on yieldstar_waiter (waiter);
