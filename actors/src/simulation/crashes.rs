//! Crashes of a whole engine, and of single actors.

use crate::{
    engine::Engine,
    ids::{JobId, MechanicId},
    messages::InjectedFault,
};

impl Engine {
    /// Ends every actor at once, as if the process had ended.
    pub fn crash(&self) {
        self.stop();
        let context = self.context();
        self.supervisor().do_send(InjectedFault::Stop);
        context.dispatcher().do_send(InjectedFault::Stop);
        context.jobs.all().into_iter().for_each(|(_, addr)| addr.do_send(InjectedFault::Stop));
        context.mechanics.all().into_iter().for_each(|(_, addr)| addr.do_send(InjectedFault::Stop));
    }

    /// Makes the actor of a job panic.
    pub fn panic_job(&self, id: JobId) {
        self.context().job(id).do_send(InjectedFault::Panic);
    }

    /// Makes the actor of a mechanic panic.
    pub fn panic_mechanic(&self, id: MechanicId) {
        self.context().mechanic(id).do_send(InjectedFault::Panic);
    }

    /// Makes the dispatcher panic.
    pub fn panic_dispatcher(&self) {
        self.context().dispatcher().do_send(InjectedFault::Panic);
    }
}
