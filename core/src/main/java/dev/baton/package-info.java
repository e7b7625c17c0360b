/**
 * What the author of a service writes against.
 *
 * <p>The way of a message, in the order to read: {@link dev.baton.Chain} (the plan), {@link dev.baton.Deployment} (how it
 * runs), {@link dev.baton.RunningChain}, then inside: {@code Section} (the parts on one loop), {@code Stage} (the duty
 * cycle), {@code WriterOutlet} (the header), {@code AcknowledgementLedger}, and on to a transport through {@code
 * dev.baton.spi}.
 */
package dev.baton;
