package dev.baton.spring.slice;

import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.Service;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.context.annotation.Scope;
import org.springframework.stereotype.Component;

/** A service as a component: a new one for each start of its chain. */
@Component
@Scope(ConfigurableBeanFactory.SCOPE_PROTOTYPE)
class Forward implements Service {
    @Override
    public void onMessage(Message in, Outlet out) {
        out.forward(in);
    }
}
