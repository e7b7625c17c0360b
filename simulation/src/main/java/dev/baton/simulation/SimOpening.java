package dev.baton.simulation;

import dev.baton.spi.Opening;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The opening of a simulated writer or reader in two steps: it takes its place in the topic when it is prepared, and joins
 * its connection when it is finished. Used by one actor at a time.
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

    /** Its place is free. */
    void undo() {
        undoing.accept(prepared);
    }
}
