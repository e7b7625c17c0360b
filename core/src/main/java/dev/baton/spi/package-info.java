/**
 * What a transport implements, from {@link dev.baton.spi.TransportProvider} down to the {@link dev.baton.spi.Frame}.
 * The order to read: Transport, Connection, TopicWriter, TopicReader, FrameHandler, Frame.
 */
package dev.baton.spi;
