package dev.baton;

/**
 * The entrance of a chain with lanes: an inlet for each, found by key, so that the messages of a key stay in order. All
 * of them share one connection. Confined to the first thread that uses one of them; closed with its lanes.
 */
public final class KeyedInlet {
    private final Lanes lanes;
    private final Inlet[] inlets;

    KeyedInlet(Lanes lanes, Inlet[] inlets) {
        this.lanes = lanes;
        this.inlets = inlets;
    }

    /** The inlet of a number's lane. */
    public Inlet of(long key) {
        return inlets[lanes.laneOf(key)];
    }

    /** The inlet of the lane of some bytes. */
    public Inlet of(byte[] key) {
        return inlets[lanes.laneOf(key)];
    }

    /** The inlet of a text's lane; allocates the text's bytes. */
    public Inlet of(String key) {
        return inlets[lanes.laneOf(key)];
    }

    /** The inlet of a lane, for a sender that knows better than {@link Lanes} where a key belongs. */
    public Inlet lane(int lane) {
        return inlets[lane];
    }

    /** Which lane a key belongs to. */
    public Lanes lanes() {
        return lanes;
    }
}
