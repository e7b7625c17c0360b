/**
 * The reference: each library used as its own documentation shows, without Baton. A thread for each service looks for a
 * message, copies it into the next topic, and rests for an eighth of the message interval when there is none. So one
 * experiment shows what Baton costs or saves.
 *
 * <p>Read in this order: {@link dev.baton.lab.engines.ReferenceEngine}, ReferenceRig (threads and failures),
 * ReferenceRig.Library (what is different for each), ReferenceStage (what one thread does), then the libraries: RingLibrary,
 * QueueLibrary, TopicLibrary, StreamLibrary, each with its relay.
 *
 * <p>Beside them, bare queues that are no transports: {@link dev.baton.lab.engines.PrimitiveQueue} has a line for each, Hop is
 * what a stage asks of one, PrimitiveLibrary is the stages.
 *
 * <p>Files and records hold the bytes that Baton's frames hold, see Header; the Disruptor's events hold the same as
 * objects' fields. Services stamp no clock of their own, where Baton stamps one for each batch: that is in the reference's
 * favour.
 */
package dev.baton.lab.engines;
