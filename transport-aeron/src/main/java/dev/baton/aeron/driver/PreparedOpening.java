package dev.baton.aeron.driver;

import dev.baton.spi.Opening;
import dev.baton.spi.support.ThreadConfinement;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The opening of a writer or reader: its place in the topic, which any thread may take, and then itself.
 *
 * @param <T> what is opened
 * @param <P> its place
 */
public final class PreparedOpening<T, P> implements Opening<T> {
    private final ThreadConfinement connection;
    private final Supplier<P> take;
    private final Function<P, T> open;
    private final Consumer<P> leave;
    private P place; // null while there is none

    /**
     * Creates the opening.
     *
     * @param connection whose thread finishes it
     * @param take takes the place, on any thread
     * @param open opens the writer or reader at its place
     * @param leave leaves the place
     */
    public PreparedOpening(ThreadConfinement connection, Supplier<P> take, Function<P, T> open, Consumer<P> leave) {
        this.connection = connection;
        this.take = take;
        this.open = open;
        this.leave = leave;
    }

    @Override
    public void prepare() {
        place = take.get();
    }

    @Override
    public T finish() {
        try {
            connection.check();
            return open.apply(place);
        } catch (RuntimeException | Error failed) { // an Error for example without direct memory
            withdraw();
            throw failed;
        }
    }

    @Override
    public void withdraw() {
        P taken = place;
        place = null;
        if (taken != null) {
            leave.accept(taken);
        }
    }
}
