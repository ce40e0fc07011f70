-- What somebody types is found by an index and not by reading each name: every two and three characters that stand
-- together in a name, code, brand or sound are a key, and so is each character alone where it is a word by itself, as
-- Chinese ones are. The keys are of the row as it stands, so that no way of writing one can forget them.
create function search_keys(a text, b text, c text, d text) returns text[] language sql immutable parallel safe
  cost 2000 as $$
  select coalesce(array_agg(distinct key), '{}') from (
    select substr(said, at, size) collate "C" as key
    from lower(a || E'\n' || b || E'\n' || c || E'\n' || d) as said, generate_series(1, length(said)) as at,
      generate_series(1, 3) as size
    where at + size - 1 <= length(said)) keys
  where strpos(key, E'\n') = 0 and (length(key) > 1 or ascii(key) > 127);
$$;

create index product_search on product using gin (search_keys(name, code, brand, sound));
create index library_item_search on library_item using gin (search_keys(name, brand, sound, ''));
create index product_barcode_code on product_barcode (code);
-- All that a platform or a region sees, by name; one merchant's has its own.
create index product_name on product (name, id) where not is_unknown;
