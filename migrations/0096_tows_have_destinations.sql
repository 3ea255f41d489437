-- What a tow costs follows from its destination: nobody enters it by hand.
alter table line_items add constraint line_items_tow_has_destination
    check (kind <> 'tow' or destination is not null) not valid;
