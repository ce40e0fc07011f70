-- A report whose process died goes on behind the last page that it kept.
alter table report_request
  -- Who makes it now: the name of its files without their endings. A maker that finds another's has lost the report.
  add column maker text,
  -- The list is read on behind this; null before its first page, and at its end.
  add column kept_cursor text,
  -- How much of the maker's file holds whole pages; what stands behind it is cut off.
  add column kept_bytes bigint not null default 0 check (kept_bytes >= 0),
  -- The rows in it. What a person is shown as done never goes back, this does when the file is lost.
  add column kept_rows int not null default 0 check (kept_rows >= 0),
  -- The whole list is in the file: what is left needs no question to the database.
  add column is_read boolean not null default false;
