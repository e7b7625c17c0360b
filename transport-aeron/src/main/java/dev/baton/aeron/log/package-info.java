/**
 * Frames in the log of a publication: the layout of a fragment, the writer that stages a batch and copies it into fragments, and the
 * reader that hands frames over in place. Internal: the writers and readers of all transports extend it. It may use the SPI and
 * Aeron's client, and no other package of this module.
 */
package dev.baton.aeron.log;
