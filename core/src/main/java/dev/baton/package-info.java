/**
 * The API for authors of services: chains, messages, and running chains.
 *
 * <p>To follow a message, read in this order: {@link dev.baton.Chain} (the plan), {@link dev.baton.Deployment} (the
 * configuration of a run), {@link dev.baton.RunningChain}, then the packages of the engine, which are not exported: {@code
 * engine} (starts, runs and sections), {@code engine.inlet} and {@code engine.loop} (where a message begins), {@code engine.cycle}
 * (the duty cycle), {@code engine.writing} (the header), and on to a transport through {@code dev.baton.spi}. CONTRIBUTING.md lists
 * the files of one message. Features that a reader can leave aside have packages of their own: {@code state},
 * {@code partitions}, {@code deadletters}, {@code status}, {@code async}.
 *
 * <p>Logging uses the {@link java.lang.System.Logger} {@code dev.baton}. Its lines go to {@code java.util.logging}, unless
 * there is a {@link java.lang.System.LoggerFinder}, such as those of SLF4J and Log4j. ERROR: a failure stopped a chain that has
 * no failure listener. WARNING: something was skipped, cut off or could not be closed. {@code java.util.logging} stops printing
 * in its own shutdown hook, which runs at the same time as those of the application. So a hook that closes a chain should
 * itself print the result of {@link dev.baton.RunningChain#close(java.time.Duration)}.
 */
package dev.baton;
