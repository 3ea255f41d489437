-- What a tow costs follows from its destination: nobody enters it by hand. What a mechanic has entered so already is a fee, which its
-- customer can still decide about: the rule holds for every row that is written, also for an older one.
update line_items set kind = 'fee' where kind = 'tow' and destination is null and status = 'proposed';
alter table line_items add constraint line_items_tow_has_destination
    check (kind <> 'tow' or destination is not null) not valid;
