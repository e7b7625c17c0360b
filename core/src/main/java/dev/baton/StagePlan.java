package dev.baton;

import dev.baton.run.Loop;

/**
 * What one {@link Stage} is to do.
 *
 * @param name of the service, and of the consumer whose position is kept
 * @param service the code
 * @param input topic to read
 * @param output topic to write, null at the end of the chain
 * @param limit most inputs in one turn
 * @param errors what happens to messages that fail
 * @param next the loop that reads the output, when that is another one; else null
 * @param writers opens the output
 */
record StagePlan(
        String name,
        Service service,
        String input,
        String output,
        int limit,
        ErrorPolicy errors,
        Loop next,
        Writers writers) {
    /** Whether the service has an {@code onTick} of its own: the others are not called in every sweep. */
    boolean ticks() {
        try {
            return service.getClass().getMethod("onTick", Outlet.class).getDeclaringClass() != Service.class;
        } catch (NoSuchMethodException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    void wakeNext() {
        if (next != null) {
            next.wake();
        }
    }
}
