# area_rams.awk - a liberty cell for each memory that area_link.awk lists: KIND_... KIND WIDTH DEPTH GRAN BANKS.
# Access time: docs/area.md. A synchronous read is an arc from the clock, an asynchronous one from the address.
function log2(x) { return log(x) / log(2) }
function bits_for(x,   n) { n = 0; while (2 ^ n < x) n++; return n ? n : 1 }
function bus(name, width, direction, body) {
  printf "  bus(%s) { bus_type : b%d; direction : %s; capacitance : 0.02; %s }\n", name, width, direction, body
}
function port(name, width, body) { if (width == 1) pin(name, body); else bus(name, width, "input", body) }
function pin(name, body) { printf "  pin(%s) { direction : input; capacitance : 0.02; %s }\n", name, body }
function type(width) {
  if (width < 2 || width in typed) return
  typed[width] = 1
  types = types sprintf(" type(b%d) { base_type : array; data_type : bit; bit_width : %d; bit_from : %d; bit_to : 0;" \
    " downto : true; }\n", width, width, width - 1)
}
{
  name[NR] = $1; kind[NR] = $2; w[NR] = $3; d[NR] = $4; g[NR] = $5; b[NR] = $6
  type(w[NR] * b[NR]); type(bits_for(d[NR]) * b[NR]); type(int(w[NR] / g[NR])); type(b[NR])
}
END {
  print "library(rams) { delay_model : table_lookup; time_unit : \"1ns\"; voltage_unit : \"1V\"; current_unit : \"1uA\";"
  print " pulling_resistance_unit : \"1kohm\"; leakage_power_unit : \"1nW\"; capacitive_load_unit (1,pf);"
  print " nom_voltage : 1.8; nom_temperature : 25; nom_process : 1; default_max_transition : 5;"
  print " input_threshold_pct_fall : 50; input_threshold_pct_rise : 50; output_threshold_pct_fall : 50;"
  print " output_threshold_pct_rise : 50; slew_lower_threshold_pct_fall : 20; slew_lower_threshold_pct_rise : 20;"
  print " slew_upper_threshold_pct_fall : 80; slew_upper_threshold_pct_rise : 80;"
  printf "%s", types
  check = "timing() { related_pin : \"clk_i\"; timing_type : setup_rising;" \
    " rise_constraint(scalar) { values(\"0.2\"); } fall_constraint(scalar) { values(\"0.2\"); } }"
  for (i = 1; i <= NR; i++) {
    slice = w[i] > 64 ? 64 : w[i]
    t = 0.09 * log2(slice * d[i])
    if (t < 0.09) t = 0.09
    arc = sprintf("cell_rise(scalar) { values(\"%.3f\"); } cell_fall(scalar) { values(\"%.3f\"); }" \
      " rise_transition(scalar) { values(\"0.1\"); } fall_transition(scalar) { values(\"0.1\"); }", t, t)
    aw = bits_for(d[i]) * b[i]
    printf " cell(%s) { area : 0; pin(clk_i) { direction : input; clock : true; capacitance : 0.03; }\n", name[i]
    clocked = sprintf("timing() { related_pin : \"clk_i\"; timing_type : rising_edge; %s }", arc)
    out = clocked
    if (kind[i] == "hd_sram_1rw") { pin("en_i", check); pin("we_i", check); port("addr_i", aw, check) }
    else {
      port("we_i", b[i], check); port("waddr_i", aw, check)
      if (kind[i] == "hd_regfile") {
        port("raddr_i", aw, "")
        out = sprintf("timing() { related_bus_pins : \"raddr_i\"; timing_sense : non_unate; %s }", arc)
      } else { port("re_i", b[i], check); port("raddr_i", aw, check) }
    }
    if (kind[i] != "hd_sram_banks") port("wmask_i", int(w[i] / g[i]), check)
    port("wdata_i", w[i] * b[i], check)
    if (w[i] * b[i] == 1) printf "  pin(rdata_o) { direction : output; %s }\n", out
    else bus("rdata_o", w[i] * b[i], "output", out)
    print " }"
  }
  print "}"
}
