package dev.baton.engine.cycle;

/** The inputs that a service holds by itself, up to {@link dev.baton.Deployment#maxHeld}. Confined to its loop. */
final class HeldInputs implements InputOwner {
    private final int most;
    private final ServiceCalls calls;
    private final PartContext context;
    private final Acknowledgements pending;

    HeldInputs(int most, ServiceCalls calls, PartContext context, Acknowledgements pending) {
        this.most = most;
        this.calls = calls;
        this.context = context;
        this.pending = pending;
        pending.holdInputs();
    }

    @Override
    public int room() {
        long held = pending.heldCount();
        if (held >= most) {
            calls.holdsTooMany(held);
        }
        return (int) (most - held);
    }

    @Override
    public boolean consumed(long sequence, long position) {
        pending.consumed(sequence, position);
        context.applyHold(pending);
        return true;
    }
}
