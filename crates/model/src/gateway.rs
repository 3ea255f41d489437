//! A gateway, which obtains the one true answer to a command, modelled on `actors/src/remote.rs`.

use crate::{
    Mutation,
    server::require,
    world::{Answer, Life, Message, Question, Reply, Role, ServerId, World},
};

/// Returns whether a gateway may have heard that this server serves. The server may have stopped serving since.
fn has_served(world: &World, id: ServerId) -> bool {
    world.server(id).role == Role::Serving || world.server(id).role == Role::Replaced
}

/// Sends one more try.
pub fn send(world: &mut World, to: ServerId, is_patient: bool) -> Option<()> {
    require(world.gateway.answer.is_none() && !world.gateway.is_waiting && has_served(world, to))?;
    let server = world.server(to);
    let is_dead = server.life == Life::Dead;
    match is_patient {
        // A patient gateway waits until a server serves.
        true => require(!is_dead && server.has_lease)?,
        false => world.gateway.tries_left = world.gateway.tries_left.checked_sub(1)?,
    }
    world.gateway.is_waiting = true;
    if !is_dead {
        let message = Message { to, question: world.gateway.question, is_awaited: true, is_doubled: false };
        world.network.messages.push(message);
        world.network.messages.sort_unstable();
    }
    Some(())
}

/// Ends a try that got no answer. A patient gateway waits until an answer can no longer arrive.
pub fn time_out(world: &mut World, is_patient: bool) -> Option<()> {
    require(world.gateway.is_waiting)?;
    let network = &world.network;
    let is_in_work =
        world.servers.iter().filter_map(|server| server.doing.as_ref()).any(|doing| doing.is_awaited);
    let may_come =
        !network.replies.is_empty() || is_in_work || network.messages.iter().any(|it| it.is_awaited);
    require(!is_patient || !may_come)?;
    let is_order = world.gateway.question == Question::Order;
    world.gateway.may_have_begun |= is_order;
    end_try(world);
    Some(())
}

/// Ends the try. Its messages still under way may have effects, but nobody waits for their replies.
fn end_try(world: &mut World) {
    world.gateway.is_waiting = false;
    world.network.replies.clear();
    world.network.messages.iter_mut().for_each(|message| message.is_awaited = false);
    world.network.messages.sort_unstable();
    let doings = world.servers.iter_mut().filter_map(|server| server.doing.as_mut());
    doings.for_each(|doing| doing.is_awaited = false);
}

pub fn receive(world: &mut World, reply: Reply, mutation: Option<Mutation>) {
    end_try(world);
    let gateway = &mut world.gateway;
    let is_order = gateway.question == Question::Order;
    match reply {
        Reply::NobodyServes => {}
        Reply::Answer(refusal @ (Answer::Refused | Answer::Unknown))
            if is_order && gateway.may_have_begun && mutation != Some(Mutation::RefusalWithoutLog) =>
        {
            (gateway.question, gateway.refusal) = (Question::Inquiry, Some(refusal));
        }
        Reply::Answer(answer) => gateway.answer = Some(answer),
        Reply::Found => gateway.answer = Some(Answer::Done),
        Reply::NotFound => gateway.answer = gateway.refusal,
    }
}

/// Gives up the command, because its caller has waited long enough.
pub fn give_up(world: &mut World, mutation: Option<Mutation>) -> Option<()> {
    let gateway = &mut world.gateway;
    require(gateway.answer.is_none())?;
    let is_under_way = gateway.is_waiting && mutation != Some(Mutation::TryUnderWayIsForgotten);
    let may_have_begun = gateway.may_have_begun || is_under_way;
    gateway.answer = Some(if may_have_begun { Answer::Unknown } else { Answer::Refused });
    end_try(world);
    Some(())
}
