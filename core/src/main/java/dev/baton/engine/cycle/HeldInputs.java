package dev.baton.engine.cycle;

/** The inputs that a service holds by itself, up to {@link dev.baton.Deployment#maxHeld}. Confined to its loop. */
final class HeldInputs implements InputOwner {
    private final int most;
    private final ServiceCalls calls;
    private final PartContext context;
    private final Acknowledgements acknowledgements;

    HeldInputs(int most, ServiceCalls calls, PartContext context, Acknowledgements acknowledgements) {
        this.most = most;
        this.calls = calls;
        this.context = context;
        this.acknowledgements = acknowledgements;
        acknowledgements.holdInputs();
    }

    @Override
    public int room() {
        long held = acknowledgements.heldCount();
        if (held >= most) {
            calls.holdsTooMany(held);
        }
        return (int) (most - held);
    }

    @Override
    public boolean consumed(long sequence, long position) {
        acknowledgements.consumed(sequence, position);
        context.applyHold(acknowledgements);
        return true;
    }
}
