/**
 * The API that a transport implements, from {@link dev.baton.spi.TransportProvider} to {@link dev.baton.spi.Frame}. Read the
 * types in this order: Transport, Connection, TopicWriter, TopicReader, FrameHandler, Frame.
 */
package dev.baton.spi;
