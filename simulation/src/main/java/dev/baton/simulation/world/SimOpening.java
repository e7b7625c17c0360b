package dev.baton.simulation.world;

import dev.baton.spi.Opening;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The opening of a simulated writer or reader in two steps: the first step occupies its place in the topic, the second adds it to its
 * connection. Used by one actor at a time.
 */
final class SimOpening<T> implements Opening<T> {
    private final SimConnection connection;
    private final String what;
    private final Supplier<T> preparing;
    private final Consumer<T> joining;
    private final Consumer<T> undoing;
    private T prepared;

    SimOpening(SimConnection connection, String what, Supplier<T> preparing, Consumer<T> joining, Consumer<T> undoing) {
        this.connection = connection;
        this.what = what;
        this.preparing = preparing;
        this.joining = joining;
        this.undoing = undoing;
    }

    @Override
    public void prepare() {
        connection.transport.checkAlive();
        connection.meetFault(what);
        prepared = preparing.get();
        connection.transport.prepared.add(this);
    }

    @Override
    public T finish() {
        connection.use("the end of " + what);
        connection.transport.prepared.remove(this);
        joining.accept(prepared);
        return prepared;
    }

    @Override
    public void withdraw() {
        connection.transport.checkAlive();
        connection.transport.prepared.remove(this);
        undo();
    }

    /** Frees its place in the topic. */
    void undo() {
        undoing.accept(prepared);
    }
}
