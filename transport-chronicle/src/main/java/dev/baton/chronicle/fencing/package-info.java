/**
 * The locks that give a topic one writer and a consumer one reader, across processes. Internal; {@code consumers},
 * {@code writing}, {@code reading} and the transport call it. It uses {@code log} and {@code platform}.
 */
package dev.baton.chronicle.fencing;
