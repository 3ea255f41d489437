-- What admins search people, vehicles and jobs by. Without pg_trgm: not every server has it, and the service's role may not add it.

-- The words of some texts, in lower case and at most 50 characters each: a longer lexeme is an error. Spaces and ASCII punctuation
-- separate words; ranges of characters are the same in every locale, classes are not.
create function search_words(variadic texts text[]) returns tsvector language sql immutable parallel safe
    return array_to_tsvector(array(
        select left(word, 50) from unnest(texts) as given, regexp_split_to_table(lower(given), '[\s!-/:-@[-`{-~]+') as word
        where word <> ''));

-- What every text matches that has, for each word of this one, a word that begins so; null where there is no word.
create function search_query(searched text) returns tsquery language sql immutable parallel safe
    return (
        select string_agg('''' || left(word, 50) || ''':*', ' & ')
        from regexp_split_to_table(lower(searched), '[\s!-/:-@[-`{-~]+') as word
        where word <> '')::tsquery;

create index users_words on users using gin (search_words(name, email));
-- By the last digits, which is also how a number without its country code is found.
create index users_phone_ends on users (reverse(phone) text_pattern_ops);

create index vehicles_registration_begins on vehicles (registration_number text_pattern_ops);
create index vehicles_registration_ends on vehicles (reverse(registration_number) text_pattern_ops);

create index jobs_words on jobs using gin (search_words(pickup_address, description, beneficiary_name));
create index jobs_of_vehicle on jobs (vehicle_id);

-- Everybody's withdrawals, for admins.
create index withdrawals_newest on withdrawals (requested_at desc, id desc);
