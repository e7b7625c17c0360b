/** Payloads in Simple Binary Encoding, through the flyweights that sbe-tool generates. */
package dev.baton.sbe;
