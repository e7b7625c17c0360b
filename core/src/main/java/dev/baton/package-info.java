/**
 * What the author of a service writes against.
 *
 * <p>The way of a message, in the order to read: {@link dev.baton.Chain} (the plan), {@link dev.baton.Deployment} (how it
 * runs), {@link dev.baton.RunningChain}, then inside: {@code Section} (the parts on one loop), {@code ServicePart} (the duty
 * cycle), {@code WriterOutlet} (the header), {@code PendingAcknowledgements}, and on to a transport through {@code
 * dev.baton.spi}.
 *
 * <p>Logging: {@link java.lang.System.Logger} {@code dev.baton}, so that it goes wherever the application sends the
 * platform's own: to {@code java.util.logging} unless a {@link java.lang.System.LoggerFinder} is there, as those of SLF4J
 * and Log4j are. ERROR is what stopped a chain without a failure listener, WARNING is what was skipped, cut off or could not
 * be closed. {@code java.util.logging} stops to print in a shutdown hook of its own, which runs together with those of the
 * application: a hook that closes a chain prints what {@link dev.baton.RunningChain#close(java.time.Duration)} answers.
 */
package dev.baton;
