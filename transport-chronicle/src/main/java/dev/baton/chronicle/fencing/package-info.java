/**
 * The lock that gives a topic one writer across processes. Internal; {@code writing} and the transport
 * call it. It uses {@code log} and {@code platform}.
 */
package dev.baton.chronicle.fencing;
