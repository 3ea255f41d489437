-- Every search reads the words that wait to be put into the index: by default up to 4 MB of them, whatever it looks for. At 128 kB, a
-- new row in some hundreds puts them there.
alter index jobs_words set (gin_pending_list_limit = 128);
alter index users_words set (gin_pending_list_limit = 128);
