-- Lists of settlements are in the order of their periods, and can be narrowed to those that were made in a time.
create index settlements_by_age on settlements (created_at);
