package dev.baton.test.guard;

import dev.baton.Serde;
import dev.baton.ServiceContext;
import dev.baton.ValueCodec;
import dev.baton.state.KeyedState;

/** The context of a service in a test, whose clock may have another origin in each life. Confined to its loop. */
final class GuardedContext implements ServiceContext {
    private final ServiceContext context;
    private final CallbackHooks hooks;

    GuardedContext(ServiceContext context, CallbackHooks hooks) {
        this.context = context;
        this.hooks = hooks;
    }

    @Override
    public String chain() {
        return context.chain();
    }

    @Override
    public String service() {
        return context.service();
    }

    @Override
    public int instance() {
        return context.instance();
    }

    @Override
    public int partition() {
        return context.partition();
    }

    @Override
    public String input() {
        return context.input();
    }

    @Override
    public <K, V> KeyedState<K, V> state(String name, ValueCodec<K> keys, Serde<V> values) {
        return context.state(name, keys, values);
    }

    @Override
    public long inputIdentity() {
        return context.inputIdentity();
    }

    @Override
    public long time() {
        return context.time();
    }

    @Override
    public boolean isRepeatingTick() {
        return context.isRepeatingTick();
    }

    @Override
    public long nanoTime() {
        return context.nanoTime() + hooks.clockShift();
    }

    @Override
    public long storedSequence() {
        return context.storedSequence();
    }

    @Override
    public long redeliveredUpTo() {
        return context.redeliveredUpTo();
    }

    @Override
    public void holdFrom(long sequence) {
        context.holdFrom(sequence);
    }
}
