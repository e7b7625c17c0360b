/** How fit this machine is for latency work: what is read of it, what is measured, and the letter that it gets. */
package dev.baton.lab.doctor;
