/**
 * The instruments: when to send, what arrived, how long it took, and what the machine did meanwhile. Each can be tested
 * against a closed-form answer; none knows a transport.
 */
package dev.baton.measuring;
