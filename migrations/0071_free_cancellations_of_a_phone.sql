-- Who deleted their account and signed up again with the same phone began to count anew.
alter table free_cancellations
    -- An HMAC of the customer's phone under the service's secret: the same for every account of that phone, and nobody's phone to whoever
    -- reads the table. Null in rows of the previous release.
    add column person_key uuid;
create index free_cancellations_of_person on free_cancellations (person_key, cancelled_at) where person_key is not null;
