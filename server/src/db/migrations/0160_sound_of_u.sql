-- ü is typed v: 绿茶 is found by `lvcha`.
update product set sound = replace(sound, 'ü', 'v') where sound like '%ü%';
update library_item set sound = replace(sound, 'ü', 'v') where sound like '%ü%';
